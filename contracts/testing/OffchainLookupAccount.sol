// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @notice Answers every call with a request to fetch data from an address of its choice (EIP-3668). A delegate
/// (EIP-7702) answers so in the name of the account that delegates to it.
contract OffchainLookupAccount {
    uint16 private immutable _port;
    address private immutable _sender;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    /// @param port of 127.0.0.1, where the data is said to be
    /// @param sender the contract that is said to ask; the zero address stands for the account itself
    constructor(uint16 port, address sender) {
        _port = port;
        _sender = sender;
    }

    fallback() external payable {
        string memory origin = string.concat("http://127.0.0.1:", Strings.toString(_port));
        string[] memory urls = new string[](2);
        urls[0] = string.concat(origin, "/{sender}/{data}");
        urls[1] = string.concat(origin, "/posted");
        revert OffchainLookup(_sender == address(0) ? address(this) : _sender, urls, msg.data, msg.sig, "");
    }
}
