// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Texts} from "./Texts.sol";
import {Administration, TokenMetadata} from "./Types.sol";

/// @notice Tokens in which claims may be registered and vaults be created. Delisting a token stops both, and nothing
/// else: its claims are financed and settled as before.
contract TokenRegistry is AccessControlDefaultAdminRules {
    /// @notice The role that lists and delists tokens.
    bytes32 public constant TOKEN_MANAGER_ROLE = keccak256("TOKEN_MANAGER_ROLE");

    /// @dev Far above what a getter uses. A token that uses more has no symbol, or cannot be listed.
    uint256 private constant GAS_PER_GETTER = 100_000;
    /// @dev A unit of 10^36 still fits into 128 bits, as the face of a claim has to.
    uint256 private constant MAX_DECIMALS = 36;

    /// @notice Whether new claims and vaults may have this token.
    mapping(address token => bool) public isListed;
    mapping(address token => TokenMetadata) private _metadata;
    address[] private _tokens;

    /// @notice Once per token, the first time it is listed, before `TokenStatusChanged`.
    event TokenAdded(address indexed token, string symbol, string name, uint8 decimals);
    event TokenStatusChanged(address indexed token, bool listed);

    /// @notice `decimals()` fails, or answers something else than 0 to 36.
    error UnreadableDecimals(address token);
    /// @notice The token has this status already.
    error TokenStatusUnchanged(address token, bool listed);

    constructor(Administration memory by) AccessControlDefaultAdminRules(by.adminDelay, by.admin) {
        _grantRole(TOKEN_MANAGER_ROLE, by.manager);
    }

    /// @notice Lists or delists a token. Its symbol, name and decimals are read the first time that it is listed, and
    /// never again.
    function setListed(address token, bool listed) external onlyRole(TOKEN_MANAGER_ROLE) {
        if (isListed[token] == listed) revert TokenStatusUnchanged(token, listed);

        if (listed && !_metadata[token].known) _add(token);
        isListed[token] = listed;
        emit TokenStatusChanged(token, listed);
    }

    /// @notice Answers of the token when it was first listed; `known` is false for any other address.
    function metadata(address token) external view returns (TokenMetadata memory) {
        return _metadata[token];
    }

    /// @notice Number of tokens that were ever listed.
    function tokenCount() external view returns (uint256) {
        return _tokens.length;
    }

    /// @notice At most `limit` tokens from position `offset`, in the order in which they were first listed, delisted
    /// ones included.
    function tokens(uint256 offset, uint256 limit) external view returns (address[] memory page) {
        uint256 start = Math.min(offset, _tokens.length);
        uint256 end = start + Math.min(limit, _tokens.length - start);
        page = new address[](end - start);
        for (uint256 i = start; i < end; ++i) {
            page[i - start] = _tokens[i];
        }
    }

    // ---------------------------------------------------------------- internals

    function _add(address token) private {
        string memory symbol = _text(token, IERC20Metadata.symbol.selector);
        string memory name = _text(token, IERC20Metadata.name.selector);
        uint8 decimals = _decimals(token);
        _metadata[token] = TokenMetadata(true, decimals, symbol, name);
        _tokens.push(token);
        emit TokenAdded(token, symbol, name, decimals);
    }

    /// @dev Nobody can guess decimals: a token without them would be shown at a wrong amount.
    function _decimals(address token) private view returns (uint8) {
        bytes memory answer = _ask(token, IERC20Metadata.decimals.selector);
        uint256 decimals = answer.length == 32 ? uint256(bytes32(answer)) : type(uint256).max;
        if (decimals > MAX_DECIMALS) revert UnreadableDecimals(token);
        return uint8(decimals);
    }

    /// @dev A string, or 32 bytes as old tokens answer. Anything else is no text. A text ends before its first zero
    /// byte.
    function _text(address token, bytes4 getter) private view returns (string memory) {
        bytes memory answer = _ask(token, getter);
        if (answer.length == 32) return Texts.cut(answer, 0, 32);
        if (answer.length < 64 || _word(answer, 0) != 32) return "";
        uint256 length = _word(answer, 32);
        return length > answer.length - 64 ? "" : Texts.cut(answer, 64, length);
    }

    function _word(bytes memory source, uint256 offset) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(add(source, 32), offset))
        }
    }

    /// @return answer Empty where the call fails.
    function _ask(address token, bytes4 getter) private view returns (bytes memory answer) {
        bool success;
        (success, answer) = token.staticcall{gas: GAS_PER_GETTER}(abi.encodeWithSelector(getter));
        if (!success) answer = "";
    }
}
