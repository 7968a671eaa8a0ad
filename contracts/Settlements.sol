// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {FinancingVault} from "./FinancingVault.sol";
import {PaidShares} from "./PaidShares.sol";
import {RouterRegistries} from "./RouterRegistries.sol";
import {Allocation, Claim, ClaimState} from "./Types.sol";

/// @notice Settlements, and the credits of recipients that a token cannot pay.
abstract contract Settlements is RouterRegistries, ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @notice Amount that the router holds for an account that a settlement could not pay, in base units of the token.
    /// @dev The router holds less where a token takes a fee. The token registry lists none of this kind.
    mapping(address account => mapping(address token => uint256)) public credits;
    /// @notice Paid face of a slice that the router holds because the token did not pay the vault, in base units. The
    /// vault counts it as outstanding until `releaseRepayment`.
    mapping(bytes32 claimId => mapping(uint8 sliceIndex => uint256)) public heldFace;

    /// @notice A payment of a claim, whole or in part. `sliceAmounts` has the part for the vault of each slice, also
    /// where the router holds it, and `beneficiaryAmount` the rest. The claim is settled once `paidFaceValue`, the sum
    /// of its payments, is its face.
    event ClaimPaid(
        bytes32 indexed claimId,
        address indexed payer,
        address indexed token,
        uint256 faceAmount,
        uint256 paidFaceValue,
        uint256[] sliceAmounts,
        uint256 beneficiaryAmount
    );

    /// @notice A settlement could not pay `account`: the router holds the amount for it.
    event Credited(bytes32 indexed claimId, address indexed account, address indexed token, uint256 amount);
    /// @notice The credit of a vault is a repayment of this slice. Follows `Credited`.
    event RepaymentHeld(bytes32 indexed claimId, address indexed vault, uint8 sliceIndex, uint256 faceAmount);
    /// @notice The router has paid the credit of `account`, or held face to a vault, in base units of `token`.
    event CreditWithdrawn(address indexed account, address indexed token, uint256 amount);

    /// @notice A part can be paid from the due date on. Both times are Unix seconds.
    error ClaimNotDue(bytes32 claimId, uint256 dueDate, uint256 timestamp);
    /// @notice The unpaid face is above the maximum of the caller, base units.
    error AmountExceedsMaximum(uint256 amount, uint256 maxAmount);
    /// @notice The router holds nothing of this token for the account.
    error NoCredit(address account, address token);
    /// @notice The router holds no face of this slice.
    error RepaymentNotHeld(bytes32 claimId, uint256 sliceIndex);

    /// @notice Pays all of a claim's face that is unpaid, from the caller: to each vault the unpaid part of its slices,
    /// the rest to the beneficiary. Also before the due date: vaults earn their discounts as if the claim was paid on
    /// its due date. A recipient that the token cannot pay is credited and stops nobody else's payment. Possible while
    /// paused: a pause stops new financing, not repayment.
    /// @param token Token of the claim. With `maxAmount`, it lets a wallet show what is paid.
    /// @param maxAmount The most that the caller pays, in base units of `token`.
    function settle(bytes32 claimId, address token, uint256 maxAmount) external nonReentrant {
        Claim memory record = _knownClaim(claimId, token);
        uint256 unpaid = record.faceValue - record.paidFaceValue;
        if (unpaid > maxAmount) revert AmountExceedsMaximum(unpaid, maxAmount);

        _pay(claimId, record, unpaid);
    }

    /// @notice Pays a part of a claim's face from the caller, divided as in `PaidShares`; otherwise as `settle`.
    /// Possible from the due date on: no further slice can change the shares then.
    /// @param faceAmount The most that the caller pays, in base units of `token`: less if less is unpaid.
    function pay(bytes32 claimId, address token, uint256 faceAmount) external nonReentrant {
        Claim memory record = _knownClaim(claimId, token);
        if (block.timestamp < record.dueDate) revert ClaimNotDue(claimId, record.dueDate, block.timestamp);

        _pay(claimId, record, Math.min(faceAmount, record.faceValue - record.paidFaceValue));
    }

    /// @notice Pays the caller's whole credit in a token. There is no other receiver: a token that blocks an account
    /// has no reason to block the router, too, which would stop the settlements of others.
    function withdrawCredit(address token) external nonReentrant returns (uint256 amount) {
        amount = credits[msg.sender][token];
        if (amount == 0) revert NoCredit(msg.sender, token);

        _payCredit(msg.sender, token, amount);
    }

    /// @notice Pays the vault of a slice the face that the router holds for it. Anyone may call it: the vault cannot.
    function releaseRepayment(bytes32 claimId, uint8 sliceIndex) external nonReentrant {
        uint256 held = heldFace[claimId][sliceIndex];
        if (held == 0) revert RepaymentNotHeld(claimId, sliceIndex);

        delete heldFace[claimId][sliceIndex];
        Claim memory record = claims.claim(claimId);
        Allocation[] memory slices = claims.allocations(claimId);
        (uint256[] memory shares,) = PaidShares.divide(slices, record.faceValue, record.paidFaceValue);
        _payCredit(slices[sliceIndex].vault, record.token, held);
        _bookRepayment(claimId, sliceIndex, slices[sliceIndex], shares[sliceIndex] - held, held);
    }

    // ---------------------------------------------------------------- payments

    /// @dev A second transfer, from the caller to the router, finds out which of the two the token refuses: if it fails
    /// as well, the caller cannot pay and the call reverts with the token's error.
    function _payOrCredit(bytes32 claimId, address token, address to, uint256 amount) private returns (bool paid) {
        paid = IERC20(token).trySafeTransferFrom(msg.sender, to, amount);
        if (paid) return true;
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        credits[to][token] += amount;
        emit Credited(claimId, to, token, amount);
    }

    function _payCredit(address account, address token, uint256 amount) private {
        credits[account][token] -= amount;
        emit CreditWithdrawn(account, token, amount);
        IERC20(token).safeTransfer(account, amount);
    }

    // ---------------------------------------------------------------- checks

    function _knownClaim(bytes32 claimId, address token) private view returns (Claim memory record) {
        record = claims.claim(claimId);
        if (record.state == ClaimState.NONE) revert UnknownClaim(claimId);
        if (token != record.token) revert UnexpectedToken(token, record.token);
    }

    // ---------------------------------------------------------------- effects

    function _pay(bytes32 claimId, Claim memory record, uint256 faceAmount) private {
        claims.recordPayment(claimId, faceAmount);
        Allocation[] memory slices = claims.allocations(claimId);
        uint256 paid = record.paidFaceValue + faceAmount;
        (uint256[] memory former, uint256 formerRest) =
            PaidShares.divide(slices, record.faceValue, record.paidFaceValue);
        (uint256[] memory amounts, uint256 rest) = PaidShares.divide(slices, record.faceValue, paid);
        rest -= formerRest;
        for (uint256 i; i < slices.length; ++i) {
            amounts[i] -= former[i];
        }
        emit ClaimPaid(claimId, msg.sender, record.token, faceAmount, paid, amounts, rest);

        for (uint256 i; i < slices.length; ++i) {
            if (amounts[i] > 0) _repay(claimId, uint8(i), record.token, slices[i], former[i], amounts[i]);
        }
        if (rest > 0) _payOrCredit(claimId, record.token, record.beneficiary, rest);
    }

    /// @dev The vault gets its share from the caller, and books it when it has the tokens.
    /// @param paid Face of the slice that was paid before.
    function _repay(
        bytes32 claimId,
        uint8 sliceIndex,
        address token,
        Allocation memory slice,
        uint256 paid,
        uint256 faceAmount
    ) private {
        uint256 held = heldFace[claimId][sliceIndex];
        if (_payOrCredit(claimId, token, slice.vault, faceAmount)) {
            _bookRepayment(claimId, sliceIndex, slice, paid - held, faceAmount);
        } else {
            heldFace[claimId][sliceIndex] = held + faceAmount;
            emit RepaymentHeld(claimId, slice.vault, sliceIndex, faceAmount);
        }
    }

    /// @param booked Face of the slice that the vault has booked before.
    function _bookRepayment(
        bytes32 claimId,
        uint8 sliceIndex,
        Allocation memory slice,
        uint256 booked,
        uint256 faceAmount
    ) private {
        uint256 advance = PaidShares.advanceOf(slice, booked + faceAmount) - PaidShares.advanceOf(slice, booked);
        FinancingVault(slice.vault).recordRepayment(claimId, sliceIndex, faceAmount, advance);
    }
}
